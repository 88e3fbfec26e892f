"""The command line, `puzzle-envs`: one file per subcommand."""
