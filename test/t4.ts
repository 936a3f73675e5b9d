import Client from 'better-sqlite3';
import { sqliteTables } from '../src/db/sqlite/columns.ts';
const c = new Client('/tmp/t1/x.db',{readonly:true});
async function bench(name:string, f:(i:number)=>any, n=20000){ for(let r=0;r<3;r++){ const t=performance.now(); for(let i=0;i<n;i++) await f(i); const d=performance.now()-t; if(r===2) console.log(name, (d/n*1000).toFixed(2),'us'); } }
const cols='"id", "org", "user_id", "status", "total", "currency", "version", "created_at", "updated_at", "deleted_at"';
const sqlp=`select ${cols} from orders where org=? and user_id=? and deleted_at is null order by created_at desc, id desc limit ? offset ?`;
const pageO=c.prepare(sqlp), pageR=c.prepare(sqlp).raw();
const cnt=c.prepare('select count(*) from orders where org=? and user_id=? and deleted_at is null').raw();
const sqli='select id,order_id,position,product_id,name,unit_price,qty from order_items where order_id in (select value from json_each(?)) order by order_id, position';
const itO=c.prepare(sqli), itR=c.prepare(sqli).raw();
await bench('page obj', i=>pageO.all('acme',5+i%900,20,0));
await bench('page raw', i=>pageR.all('acme',5+i%900,20,0));
await bench('count', i=>cnt.get('acme',5+i%900));
const ids=(i:number)=>JSON.stringify(Array.from({length:20},(_, k)=>100+i%900+k));
await bench('items obj', i=>itO.all(ids(i)));
await bench('items raw', i=>itR.all(ids(i)));
console.log(c.prepare('explain query plan '+sqli).all('[1]'));
