; Links that open an alert (alertdesk://…) belong to the app from its installation on, and to nobody after it is removed.

!macro customInstall
  WriteRegStr SHCTX "Software\Classes\alertdesk" "" "URL:Alertdesk"
  WriteRegStr SHCTX "Software\Classes\alertdesk" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\alertdesk\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHCTX "Software\Classes\alertdesk\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey SHCTX "Software\Classes\alertdesk"
    ; What Electron has written for the app while it was used: starting with Windows, and who answers its toasts.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
    DeleteRegKey HKCU "Software\Classes\CLSID\{7E1C7B52-9A0C-4B8E-9C60-2B6B0C4F1D3A}"
  ${endIf}
!macroend
