import { openDatabase } from '../src/db/database.ts';
import { seed } from '../src/demo/seed.ts';
for (const url of ['file:/tmp/t1/x.db','postgres://postgres@127.0.0.1/portico_t1']) {
  const db = await openDatabase({url});
  const t=performance.now(); await seed({database:db, orders:100000}); console.log(url, performance.now()-t);
  await db.close();
}
