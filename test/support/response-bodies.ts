/** The response bodies of the REST routes. */

export interface Order {
  readonly id: number;
  readonly user_id: number;
  readonly status: 'pending' | 'cancelled' | 'shipped';
  readonly total: number;
  readonly currency: string;
  readonly items: readonly Item[];
  readonly created_at: string;
  readonly updated_at: string;
}

interface Item {
  readonly id: number;
  readonly product_id: number;
  readonly name: string;
  readonly qty: number;
  readonly unit_price: number;
  readonly thumbnail_url: string;
}

export interface OffsetPage<Row> {
  readonly data: readonly Row[];
  readonly pagination: {
    readonly page: number;
    readonly limit: number;
    readonly total: number;
    readonly next: string | null;
  };
}

export interface CursorPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly unit_price: number;
  readonly currency: string;
  readonly thumbnail_url: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived: boolean;
  readonly archived_at: string | null;
}

export interface Refund {
  readonly id: number;
  readonly charge_id: number;
  readonly amount: { readonly value: number; readonly currency: string };
  readonly status: string;
}

export interface RefundedCharge extends Charge {
  readonly refund: Refund;
}

export interface User {
  readonly id: number;
  readonly org: string;
  readonly name: string;
  readonly email: string;
  readonly role: 'admin' | 'editor' | 'viewer';
  readonly avatar_url: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Session {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
}

export interface Document {
  readonly id: number;
  readonly org: string;
  readonly title: string;
  readonly body: string;
  readonly classification: 'public' | 'internal' | 'confidential';
  readonly author_id: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Share {
  readonly user_id: number;
  readonly relation: 'reader' | 'writer';
  readonly created_at: string;
}

export interface Charge {
  readonly id: number;
  readonly amount: { readonly value: number; readonly currency: string };
  readonly status: 'pending' | 'succeeded' | 'failed' | 'refunded';
  readonly source: string;
  readonly failure_code: string | null;
  readonly order_id: number | null;
  readonly created_at: string;
}

/** A charge in version 1, with its amount in minor units. */
export interface ChargeV1 extends Omit<Charge, 'amount' | 'failure_code'> {
  readonly amount: number;
  readonly currency: string;
}

/** An entry of the audit log. */
export interface AuditEntry {
  readonly id: number;
  readonly type: string;
  readonly event_id: number | null;
  readonly actor_id: number | null;
  readonly credentials: { readonly kind: string; readonly id: number | null } | null;
  readonly address: string | null;
  readonly subject_type: string;
  readonly subject_id: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurrences: number;
  readonly created_at: string;
}
