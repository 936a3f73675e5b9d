/** The roles of people. */
import { may, session } from './caller.js';
/** The roles as options of a select. */
export const ROLES = [
  ['viewer', 'Viewer: reads'],
  ['editor', 'Editor: reads and writes'],
  ['admin', 'Administrator'],
];

/** Whether the caller may add, invite, change and remove people. */
export const isAdministrator = () => session.value.role === 'admin' && may('write:users');
