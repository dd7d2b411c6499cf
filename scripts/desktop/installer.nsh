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
  ${endIf}
!macroend
