/** Settings of servers in tests: the defaults, with single members of groups otherwise. */
import type { AppDependencies } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';

/** The settings of a server whose environment is empty, and that has no demo data, of which events would be kept for longer. */
export const DEFAULTS = loadConfig({ DEMO: '0' });

type Settings = AppDependencies['config'];

/** Members that are otherwise than by default, by group. */
export type SettingOverrides = {
  readonly [Group in keyof Settings]?: Settings[Group] extends object
    ? Partial<Settings[Group]>
    : Settings[Group];
};

/** All settings, where the later overrides count before the earlier ones. */
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
