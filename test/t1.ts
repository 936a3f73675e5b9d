import { openDatabase, migrate } from '../src/db/database.ts';
import { installDemo } from '../src/demo/install.ts';
import * as L from '../src/db/queries/order-lists.ts';
import * as O from '../src/db/queries/orders.ts';
import * as I from '../src/db/queries/order-items.ts';
import pg from 'pg';
const c = new pg.Client('postgres://postgres@127.0.0.1/postgres'); await c.connect();
await c.query('drop database if exists portico_t1'); await c.query('create database portico_t1'); await c.end();
import {rmSync} from 'node:fs'; rmSync('/tmp/t1',{recursive:true,force:true});
const out:string[]=[];
for (const url of ['file:/tmp/t1/x.db','postgres://postgres@127.0.0.1/portico_t1']) {
  await Promise.all([migrate(url), migrate(url)]);
  const db = await openDatabase({url});
  console.log(await Promise.all([1,2,3].map(()=>installDemo(db, async p=>p))));
  const p = await L.pageOfOrders(db,{org:'acme',userId:1,status:'pending',sort:'total',descending:true,limit:100,offset:0});
  console.log(p.total);
  const few = await L.fewOrdersOfUsers(db,'acme',[1,2,3],'newest',3);
  const items = await I.itemsOfOrders(db, p.rows.map(r=>r.id));
  const o = await db.transaction(async tx => { const o= await O.insertOrder(tx, {org:'acme',userId:1,total:5,currency:'USD',now:new Date(7)}); return [o, await I.insertOrderItems(tx,o.id,[{productId:1,name:'x',unitPrice:1,qty:1},{productId:2,name:'x',unitPrice:1,qty:1}]), await O.transitionOrder(tx,{org:'acme',id:o.id,status:'shipped',versions:[1],now:new Date(8)}), await O.transitionOrder(tx,{org:'acme',id:o.id,status:'shipped',versions:null,now:new Date(8)}),await O.deleteOrder(tx,{org:'acme',id:o.id,versions:null,now:new Date(8)})] });
  out.push(JSON.stringify({p,few,items,o},null,1));
  await db.close();
}
console.log(out[0]===out[1], out[1].length, out[1].slice(-2000));
