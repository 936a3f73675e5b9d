/** The roles of people in their organisation, from least to most powerful. Each includes the permissions of those before it. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;

export type Role = (typeof ROLES)[number];
