/** By which Windows knows the app: the installer gives its shortcut this name, and toasts carry it. */
export const APP_USER_MODEL_ID = 'com.alertdesk.desktop';
