/** What people are in their organisation, from the least to the most powerful: a role does whatever the roles before it do. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;

export type Role = (typeof ROLES)[number];
