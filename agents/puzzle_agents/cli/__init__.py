"""The command line, `puzzle-envs`: one file a subcommand."""
