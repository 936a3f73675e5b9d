/** The roles of people. */
import { may, session } from './caller.js';
/** The roles as options of a select. */
export const ROLES = [
  ['viewer', 'Viewer: reads'],
  ['editor', 'Editor: reads and writes'],
  ['admin', 'Administrator'],
];

/** Whether an id is that of the signed-in person. */
export const isSelf = (id) => String(session.value.userId) === id;

/** Whether the caller may add, invite, change and remove people. */
export const isAdministrator = () => session.value.role === 'admin' && may('write:users');
