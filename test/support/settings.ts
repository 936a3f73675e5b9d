/** The settings of servers in tests: the defaults with overrides. */
import type { AppDependencies } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';

/** The settings of a server with an empty environment and without demo data, with which events would be kept longer. */
export const DEFAULTS = loadConfig({ DEMO: '0' });

type Settings = AppDependencies['config'];

/** Members that override the defaults, by group. */
export type SettingOverrides = {
  readonly [Group in keyof Settings]?: Settings[Group] extends object
    ? Partial<Settings[Group]>
    : Settings[Group];
};

/** Applies overrides to the defaults. Later overrides take precedence. */
export function settingsWith(...overrides: readonly SettingOverrides[]): Settings {
  let settings: Settings = DEFAULTS;
  for (const others of overrides) {
    const groups = Object.entries(others).map(([name, members]) => [
      name,
      typeof members === 'object' ? { ...Object(Reflect.get(settings, name)), ...members } : members,
    ]);
    settings = { ...settings, ...Object.fromEntries(groups) };
  }
  return settings;
}
