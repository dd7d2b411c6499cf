; What electron-builder's script takes from plugins, in NSIS's own words: the plugins' binaries are for 32-bit installers, and are
; fetched from elsewhere. Found by the name of one of their headers.

!include FileFunc.nsh

!define StdUtils.TestParameter `!insertmacro TestParameter`
!macro TestParameter OUT NAME
  ; As each call of a plugin does.
  InitPluginsDir
  Push $R8
  Push $R7
  ClearErrors
  ${GetParameters} $R8
  ${GetOptions} $R8 "--${NAME}" $R7
  StrCpy $R8 "true"
  IfErrors 0 +2
  StrCpy $R8 "false"
  ClearErrors
  Pop $R7
  Exch $R8
  Pop ${OUT}
!macroend

!define StdUtils.GetAllParameters `!insertmacro GetAllParameters`
!macro GetAllParameters OUT TRUNCATE
  ${GetParameters} ${OUT}
!macroend

!define StdUtils.GetParentPath `!insertmacro GetParentPath`
!macro GetParentPath OUT PATH
  ${GetParent} `${PATH}` ${OUT}
!macroend

; The app itself is not started.
!define StdUtils.ExecShellAsUser `!insertmacro ExecShellAsUser`
!macro ExecShellAsUser OUT FILE VERB ARGUMENTS
  StrCpy ${OUT} "ok"
!macroend

; Wine keeps no properties in a shortcut, so it is noted here which one gets which AppUserModelID.
!macro SetLnkAUMI LINK ID
  WriteRegStr HKCU "Software\Shortcuts" "${LINK}" "${ID}"
!macroend

!macro UninstShortcut LINK
  DeleteRegValue HKCU "Software\Shortcuts" "${LINK}"
!macroend

!macro UninstAppUserModelId ID
!macroend

; It asks PowerShell, which in Wine says yes to everything.
!macro customCheckAppRunning
!macroend
