"""Vehicle routes: ruin and recreate, and hybrid genetic search."""
