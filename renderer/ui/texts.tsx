export const importComponentOfFromBlueprintjs = (icon: string) =>
  `Import the component of ${icon} from @blueprintjs/icons, not its name.`;

export const couldNotBeLoaded = (what: string) => `${what} could not be loaded`;

export const showItAgain = 'Show it again';
export const showThemAgain = 'Show them again';
