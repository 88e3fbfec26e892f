"""Small things that everything uses: arguments checked, names suggested, files written whole."""
