"""Facts about the APIs of the frameworks, as data: measured, with versions. Nothing here has logic."""
