/** The pages of the console, in the order of the navigation. */
import { computed } from '@preact/signals';
import { Account } from './account.js';
import { ApiKeys } from './api-keys.js';
import { App } from './app.js';
import { Apps } from './apps.js';
import { AuditLog } from './audit-log.js';
import { may } from './caller.js';
import { Certificates } from './certificates.js';
import { Charge } from './charge.js';
import { Charges } from './charges.js';
import { Document } from './document.js';
import { Documents } from './documents.js';
import { Event, Events } from './events.js';
import { Order } from './order.js';
import { Orders } from './orders.js';
import { Overview } from './overview.js';
import { People } from './people.js';
import { Person } from './person.js';
import { Product } from './product.js';
import { Products } from './products.js';
import { Usage } from './usage.js';
import { Webhook } from './webhook.js';
import { Webhooks } from './webhooks.js';

/** `scope`: the scope that the page needs. `one`: the page of a row, at `<path>/<id>`. `isOwn`: linked from the account area. */
const PAGES = [
  { path: '', title: 'Overview', all: Overview },
  { path: '/orders', title: 'Orders', scope: 'read:orders', all: Orders, one: Order },
  { path: '/products', title: 'Products', scope: 'read:orders', all: Products, one: Product },
  { path: '/documents', title: 'Documents', scope: 'read:docs', all: Documents, one: Document },
  { path: '/charges', title: 'Charges', scope: 'read:charges', all: Charges, one: Charge },
  { path: '/events', title: 'Events', scope: 'read:feed', all: Events, one: Event },
  { path: '/webhooks', title: 'Webhooks', scope: 'manage:webhooks', all: Webhooks, one: Webhook },
  { path: '/api-keys', title: 'API keys', scope: 'manage:api-keys', all: ApiKeys },
  { path: '/apps', title: 'Apps', scope: 'manage:apps', all: Apps, one: App },
  { path: '/certificates', title: 'Certificates', scope: 'manage:api-keys', all: Certificates },
  { path: '/people', title: 'People', scope: 'read:users', all: People, one: Person },
  { path: '/audit-log', title: 'Audit log', scope: 'read:audit', all: AuditLog },
  { path: '/usage', title: 'Usage', scope: 'read:audit', all: Usage },
  { path: '/account', title: 'Account', scope: 'read:users', isOwn: true, all: Account },
];

/** The pages that the caller may see. */
export const pages = computed(() => PAGES.filter(({ scope }) => !scope || may(scope)));

/** Returns the page at a path: `{page, id}`, undefined for none. */
export function pageAt(path) {
  const [, name = '', id, ...rest] = path.split('/');
  if (rest.length > 0) return undefined;
  const page = PAGES.find((candidate) => candidate.path === (name && `/${name}`));
  return page && (id === undefined || page.one) ? { page, id } : undefined;
}
