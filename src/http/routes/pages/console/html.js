/** Markup as tagged templates, so that no build step is needed. */
import htm from 'htm';
import { h } from 'preact';

export const html = htm.bind(h);
