import { type FuseConfig, FuseV1Options, FuseVersion } from '@electron/fuses';

/**
 * What is switched off in Electron's binary for good (Electron's security checklist, 19). All of them are named, so that a
 * new one stops the build until somebody has decided about it.
 */
export const FUSES: FuseConfig = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  // The signed program runs the app, not any script that somebody hands to it.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  // What lies in the archive is what was packaged, and nothing else is loaded as the app.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // No page comes from file://.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // As Electron has it: WebAssembly is fast and safe with it.
  [FuseV1Options.WasmTrapHandlers]: true,
};
