"""An editor's language server: the Language Server Protocol, over what `desk` knows. pygls is loaded here alone."""
