CREATE VIRTUAL TABLE `search_documents` USING fts5(`org` UNINDEXED, `tokens`, content='', contentless_delete=1, detail=none, tokenize='ascii');--> statement-breakpoint
CREATE VIRTUAL TABLE `search_products` USING fts5(`org` UNINDEXED, `tokens`, content='', contentless_delete=1, detail=none, tokenize='ascii');
