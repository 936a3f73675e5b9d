/** The theme: light, dark, or that of the system. The choice is stored on this device, and contains no personal data. */
import { effect, signal } from '@preact/signals';
import { KEY, stored } from '../pages/theme.js';

const THEMES = ['system', 'light', 'dark'];

export const theme = signal(stored ?? 'system');

export const nextTheme = () => {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length];
};

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  if (theme.value === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme.value);
});
