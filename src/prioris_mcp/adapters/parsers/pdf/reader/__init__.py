"""Read the pages of a PDF: with liteparse, by OCR, or from what a damaged file still holds."""
