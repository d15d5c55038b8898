"""The programs that `reach_oracle.py` runs: pins, chosen test files, and drivers where none are published."""

from __future__ import annotations

from dataclasses import dataclass

EXAMPLES = "examples"

# Whatever the measured packages import; installed into one folder, which is no part of what is measured.
LIBRARIES = (
    "check-shapes==1.1.1",
    "cloudpickle==3.1.3",
    "decorator==5.3.1",
    "deprecated==1.3.1",
    "dm-tree==0.1.10",
    "dropstackframe==0.1.1",
    "gin-config==0.5.0",
    "gym==0.26.2",
    "gym_notices==0.1.0",
    "lark==1.3.1",
    "multipledispatch==1.0.0",
    "pillow==13.0.0",
    "portpicker==1.6.0",
    "pygame==2.6.1",
    "pyonmttok==1.38.1",
    "tabulate==0.10.0",
    "tensorflow-addons==0.23.0",
    "tensorflow-probability==0.25.0",
    "tf-keras==2.21.0",
    "typeguard==2.13.3",
)


@dataclass(frozen=True)
class Program:
    """One measured program.

    pin: of the package; "" for the examples of this repository. tests: files below the project for
    pytest; seconds: the limit for each. calls: argument lists of `python FILE ARGUMENT...`. drop: folders
    of the package that are left out of the copy. added: (name, text) of files that the copy gets: tests,
    where the package publishes none, and what its tests need to be found.
    """

    name: str
    pin: str = ""
    tests: tuple[str, ...] = ()
    seconds: int = 60
    calls: tuple[tuple[str, ...], ...] = ()
    drop: tuple[str, ...] = ()
    added: tuple[tuple[str, str], ...] = ()


def _below(folder: str, names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}.py" for name in names.split())


_TFP_DRIVER = '''\
"""Programs over tensorflow_probability, since its wheel holds no tests: each is compiled as a whole."""

import tensorflow as tf
import tensorflow_probability as tfp

tfb, tfd, tfk = tfp.bijectors, tfp.distributions, tfp.math.psd_kernels
SEED = (1, 2)
POINTS = tf.reshape(tf.linspace(0.0, 1.0, 6), [6, 1])


def target(x):
    return tfd.MultivariateNormalDiag(tf.zeros(2), tf.ones(2)).log_prob(x)


def model():
    return tfd.JointDistributionSequential([
        tfd.Gamma(2.0, 1.0),
        lambda scale: tfd.Sample(tfd.Normal(0.0, scale), 3),
    ])


@tf.function(jit_compile=True)
def chain_hmc():
    kernel = tfp.mcmc.HamiltonianMonteCarlo(target, step_size=0.1, num_leapfrog_steps=2)
    kernel = tfp.mcmc.DualAveragingStepSizeAdaptation(kernel, num_adaptation_steps=2)
    return tfp.mcmc.sample_chain(
        3, tf.zeros(2), kernel=kernel, num_burnin_steps=2, trace_fn=lambda _, r: r.new_step_size, seed=SEED
    )


@tf.function(jit_compile=True)
def chain_nuts():
    kernel = tfp.mcmc.NoUTurnSampler(target, step_size=0.1, max_tree_depth=3)
    return tfp.mcmc.sample_chain(2, tf.zeros(2), kernel=kernel, trace_fn=None, seed=SEED)


@tf.function(jit_compile=True)
def chain_transformed():
    kernel = tfp.mcmc.TransformedTransitionKernel(
        tfp.mcmc.MetropolisAdjustedLangevinAlgorithm(target, step_size=0.1), tfb.Scale(2.0)
    )
    return tfp.mcmc.sample_chain(2, tf.zeros(2), kernel=kernel, trace_fn=None, seed=SEED)


@tf.function(jit_compile=True)
def chain_random_walk():
    kernel = tfp.mcmc.RandomWalkMetropolis(target)
    return tfp.mcmc.sample_chain(2, tf.zeros(2), kernel=kernel, trace_fn=None, seed=SEED)


@tf.function(jit_compile=True)
def chain_slice():
    kernel = tfp.mcmc.SliceSampler(target, step_size=0.5, max_doublings=2)
    return tfp.mcmc.sample_chain(2, tf.zeros(2), kernel=kernel, trace_fn=None, seed=SEED)


@tf.function(jit_compile=True)
def chain_replica():
    def make(fn):
        return tfp.mcmc.HamiltonianMonteCarlo(fn, step_size=0.1, num_leapfrog_steps=1)

    kernel = tfp.mcmc.ReplicaExchangeMC(target, inverse_temperatures=[1.0, 0.5], make_kernel_fn=make)
    return tfp.mcmc.sample_chain(2, tf.zeros(2), kernel=kernel, trace_fn=None, seed=SEED)


@tf.function(jit_compile=True)
def diagnostics(states):
    return tfp.mcmc.effective_sample_size(states), tfp.mcmc.potential_scale_reduction(states)


@tf.function(jit_compile=True)
def ode_bdf():
    return tfp.math.ode.BDF().solve(lambda t, y: -y, 0.0, tf.ones(2), solution_times=[0.5, 1.0])


@tf.function(jit_compile=True)
def ode_dormand_prince():
    return tfp.math.ode.DormandPrince().solve(lambda t, y: -y, 0.0, tf.ones(2), solution_times=[0.5, 1.0])


@tf.function(jit_compile=True)
def roots():
    def square(x):
        return x * x - 2.0

    return (
        tfp.math.find_root_chandrupatla(square, 0.0, 2.0),
        tfp.math.find_root_secant(square, tf.constant(1.0)),
        tfp.math.secant_root(square, tf.constant(1.0)),
    )


@tf.function(jit_compile=True)
def optimizers():
    def value_and_gradient(x):
        return tfp.math.value_and_gradient(lambda y: tf.reduce_sum((y - 1.0) ** 2), x)

    start = tf.zeros(2)
    return (
        tfp.optimizer.lbfgs_minimize(value_and_gradient, start, max_iterations=2).position,
        tfp.optimizer.bfgs_minimize(value_and_gradient, start, max_iterations=2).position,
        tfp.optimizer.nelder_mead_minimize(
            lambda x: tf.reduce_sum((x - 1.0) ** 2), initial_vertex=start, max_iterations=2
        ).position,
    )


@tf.function(jit_compile=True)
def scalars(x):
    kinds = [
        tfd.Normal(0.0, 1.0), tfd.StudentT(3.0, 0.0, 1.0), tfd.Gamma(2.0, 1.0), tfd.Beta(2.0, 2.0),
        tfd.Laplace(0.0, 1.0), tfd.LogNormal(0.0, 1.0), tfd.Gumbel(0.0, 1.0), tfd.Exponential(1.0),
        tfd.TruncatedNormal(0.0, 1.0, -1.0, 1.0), tfd.Kumaraswamy(2.0, 2.0), tfd.Weibull(2.0, 1.0),
        tfd.Poisson(2.0), tfd.Bernoulli(0.3), tfd.Binomial(4.0, probs=0.3), tfd.NegativeBinomial(4.0, 0.1),
    ]
    return [(one.sample(2, seed=SEED), one.log_prob(x), one.mean()) for one in kinds]


@tf.function(jit_compile=True)
def vectors():
    kinds = [
        tfd.MultivariateNormalTriL(tf.zeros(2), tf.eye(2)), tfd.Dirichlet([1.0, 2.0]),
        tfd.Independent(tfd.Normal(tf.zeros(2), 1.0), 1), tfd.Sample(tfd.Normal(0.0, 1.0), 2),
        tfd.MixtureSameFamily(tfd.Categorical([0.1, 0.2]), tfd.Normal([0.0, 1.0], 1.0)),
        tfd.TransformedDistribution(tfd.Normal(tf.zeros(2), 1.0), tfb.Softplus()),
        tfd.MultivariateNormalLinearOperator(tf.zeros(2), tf.linalg.LinearOperatorDiag([1.0, 2.0])),
    ]
    return [one.log_prob(one.sample(3, seed=SEED)) for one in kinds]


@tf.function(jit_compile=True)
def divergence():
    return tfd.kl_divergence(tfd.Normal(0.0, 1.0), tfd.Normal(1.0, 2.0)), tfd.Normal(0.0, 1.0).entropy()


@tf.function(jit_compile=True)
def chained_bijectors(x):
    chain = tfb.Chain([tfb.Exp(), tfb.Shift(1.0), tfb.Scale(2.0), tfb.Sigmoid()])
    return chain.forward(x), chain.inverse(chain.forward(x)), chain.forward_log_det_jacobian(x, 0)


@tf.function(jit_compile=True)
def joint():
    sample = model().sample(seed=SEED)
    return model().log_prob(sample)


@tf.function(jit_compile=True)
def coroutine():
    @tfd.JointDistributionCoroutineAutoBatched
    def generative():
        loc = yield tfd.Normal(0.0, 1.0, name="loc")
        yield tfd.Normal(loc, 1.0, name="x")

    return generative.log_prob(generative.sample(seed=SEED))


@tf.function(jit_compile=True)
def markov(observed):
    hidden = tfd.HiddenMarkovModel(
        tfd.Categorical([0.0, 1.0]), tfd.Categorical([[0.0, 1.0], [1.0, 0.0]]), tfd.Normal([0.0, 1.0], 1.0), 3
    )
    return hidden.log_prob(observed), hidden.posterior_marginals(observed).logits


@tf.function(jit_compile=True)
def process():
    kernel = tfk.ExponentiatedQuadratic() + tfk.MaternFiveHalves()
    prior = tfd.GaussianProcess(kernel, POINTS)
    draw = prior.sample(seed=SEED)
    after = tfd.GaussianProcessRegressionModel(kernel, POINTS, POINTS, draw)
    return prior.log_prob(draw), after.mean()


@tf.function(jit_compile=True)
def surrogate():
    guide = tfp.experimental.vi.build_factored_surrogate_posterior([2])
    return tfp.vi.monte_carlo_variational_loss(target, guide, sample_size=2, seed=SEED)


@tf.function(jit_compile=True)
def special(x):
    return (
        tfp.math.lbeta(x, x), tfp.math.betainc(x, x, 0.5), tfp.math.log_cosh(x), tfp.math.scan_associative(
            lambda a, b: a + b, tf.ones(4)
        ), tfp.stats.percentile(tf.ones([4]), 30.0), tfp.math.fill_triangular(tf.ones(3)),
        tfp.math.interp_regular_1d_grid(x, 0.0, 1.0, tf.ones(4)),
    )


@tf.function(jit_compile=True)
def structural(series):
    local = tfp.sts.LocalLinearTrend(observed_time_series=series)
    whole = tfp.sts.Sum([local], observed_time_series=series)
    return whole.joint_distribution(observed_time_series=series).sample(seed=SEED)


def test_chain_hmc(): chain_hmc()
def test_chain_nuts(): chain_nuts()
def test_chain_transformed(): chain_transformed()
def test_chain_random_walk(): chain_random_walk()
def test_chain_slice(): chain_slice()
def test_chain_replica(): chain_replica()
def test_diagnostics(): diagnostics(tf.random.normal([8, 3]))
def test_ode_bdf(): ode_bdf()
def test_ode_dormand_prince(): ode_dormand_prince()
def test_roots(): roots()
def test_optimizers(): optimizers()
def test_scalars(): scalars(tf.constant(0.5))
def test_vectors(): vectors()
def test_divergence(): divergence()
def test_chained_bijectors(): chained_bijectors(tf.constant(0.5))
def test_joint(): joint()
def test_coroutine(): coroutine()
def test_markov(): markov(tf.zeros(3))
def test_process(): process()
def test_surrogate(): surrogate()
def test_special(): special(tf.constant(0.5))
def test_structural(): structural(tf.ones(8))
def test_minimize():
    x = tf.Variable(1.0)
    tfp.math.minimize(lambda: x * x, 2, tf.keras.optimizers.SGD(0.1), jit_compile=True)
'''

_ONMT_DRIVER = '''\
"""Programs over OpenNMT-tf, since neither its wheel nor its sdist holds tests."""

import opennmt
import tensorflow as tf


def test_transformer():
    encoder = opennmt.encoders.SelfAttentionEncoder(1, num_units=8, num_heads=2, ffn_inner_dim=8)
    compiled = tf.function(lambda x: encoder(x)[0], jit_compile=True)
    compiled(tf.ones([2, 3, 8]))
'''

PROGRAMS = (
    Program(
        EXAMPLES,
        calls=tuple(
            ("run.py", name, "xla")
            for name in (
                *("describe", "image_contrast", "prefix_gradient", "train_step"),
                *("sensitivity", "fit_step", "augmented", "best"),
            )
        ),
    ),
    Program(
        "dm-sonnet",
        "dm-sonnet==2.0.2",
        drop=("docs", "examples"),
        tests=(
            *_below(
                "sonnet/src",
                "axis_norm_test base_test batch_apply_test batch_norm_test conv_test conv_transpose_test "
                "depthwise_conv_test dropout_test group_norm_test initializers_test linear_test "
                "moving_averages_test recurrent_test reshape_test utils_test",
            ),
            *_below("sonnet/src/conformance", "function_test xla_test"),
            *_below("sonnet/src/nets", "cifar10_convnet_test resnet_test vqvae_test"),
        ),
    ),
    Program(
        "gpflow",
        "gpflow==2.9.2",
        drop=("benchmark",),
        added=(("tests/__init__.py", ""),),  # or pytest takes the package `tests/gpflow` for `gpflow`
        tests=(
            *_below("tests/gpflow", "test_base test_inducing_variables test_initial_value"),
            *_below("tests/gpflow/conditionals", "test_util"),
            *_below("tests/gpflow/models", "test_gpr test_training_mixins test_vgp test_sgpr"),
            *_below("tests/gpflow/optimizers", "test_mcmc test_natural_gradient test_scipy"),
            *_below("tests/gpflow/posteriors", "test_bo_integration"),
            *_below("tests/gpflow/utilities", "test_multipledispatch test_training_loop"),
            *_below("tests/integration", "test_dynamic_shapes test_linear_noise test_model_serialization"),
        ),
    ),
    Program(
        "tf-agents",
        "tf-agents==0.19.0",
        tests=(
            *_below("tf_agents/agents", "dqn/dqn_agent_test ppo/ppo_agent_test cql/cql_sac_agent_test"),
            *_below("tf_agents/agents/dqn/examples/v2", "train_eval_test"),
            *_below("tf_agents/bandits", "agents/examples/v2/trainer_test policies/linalg_test"),
            *_below("tf_agents/bandits/environments", "bandit_tf_environment_test"),
            *_below("tf_agents/bandits/multi_objective", "multi_objective_scalarizer_test"),
            *_below(
                "tf_agents/drivers", "dynamic_episode_driver_test dynamic_step_driver_test tf_driver_test"
            ),
            *_below("tf_agents/environments", "random_tf_environment_test tf_py_environment_test"),
            *_below("tf_agents/keras_layers", "squashed_outer_wrapper_test"),
            *_below("tf_agents/metrics", "tf_metrics_test"),
            *_below("tf_agents/networks", "sequential_test utils_test"),
            *_below("tf_agents/policies", "epsilon_greedy_policy_test policy_saver_test tf_py_policy_test"),
            *_below("tf_agents/replay_buffers", "episodic_replay_buffer_test tf_uniform_replay_buffer_test"),
            *_below("tf_agents/train", "learner_test ppo_learner_test"),
            *_below("tf_agents/utils", "common_test nest_utils_test xla_test"),
        ),
    ),
    Program(
        "opennmt-tf",
        "opennmt-tf==2.32.0",
        tests=("reach_driver_test.py",),
        added=(("reach_driver_test.py", _ONMT_DRIVER),),
    ),
    Program(
        "tensorflow-probability",
        "tensorflow-probability==0.25.0",
        seconds=420,
        drop=("tensorflow_probability/substrates",),  # copies for NumPy and JAX, written by a program
        tests=("reach_driver_test.py",),
        added=(("reach_driver_test.py", _TFP_DRIVER),),
    ),
)
