import type { Snippet } from '@faxdeck/provider-kit'

// What comes from outside is filtered before it becomes JSON. The hand-over stands in a hangup handler, because a
// dialplan ends where the caller hangs up, which is usual right after the last page. The note beside the pages stays
// until Faxdeck has them, so nothing is lost while it is down.
const inbound = (directory: string) => `[faxdeck-in]
exten => _[+0-9]!,1,Set(FAXDECK_TO=\${FILTER(+0-9,\${EXTEN})})
 same => n,Set(FAXDECK_FROM=\${FILTER(+0-9,\${CALLERID(num)})})
 same => n,Set(FAXDECK_PAGES=${directory}/inbox/\${UNIQUEID}_\${FAXDECK_TO}_\${FAXDECK_FROM}.tif)
 same => n,Set(CHANNEL(hangup_handler_push)=faxdeck-in,ended,1)
 same => n,Answer()
 same => n,Set(FAXOPT(ecm)=yes)
 same => n,ReceiveFAX(\${FAXDECK_PAGES},f)
 same => n,Hangup()

exten => ended,1,Set(FAXDECK_NOTE={"tiff_path":"\${FAXDECK_PAGES}","to_number":"\${FAXDECK_TO}","from_number":"\${FAXDECK_FROM}","faxstatus":"\${IF($["\${FAXSTATUS}" = ""]?NONE:\${FAXSTATUS})}","faxpages":"\${FAXPAGES}","uniqueid":"\${UNIQUEID}"})
 same => n,Set(FILE(\${FAXDECK_PAGES}.json,,,,u)=\${FAXDECK_NOTE})
 same => n,Set(CURLOPT(httpheader)=Content-Type: application/json)
 same => n,Set(CURLOPT(httpheader)=X-Internal-Secret: YOUR_INTERNAL_SECRET)
 same => n,Set(CURLOPT(conntimeout)=5)
 same => n,Set(CURLOPT(httptimeout)=30)
 same => n,NoOp(\${CURL({base_url}/_internal/asterisk/inbound,\${FAXDECK_NOTE})})
 same => n,Return()
`

/** What Asterisk needs in its dialplan to hand received faxes over. */
export const sipSnippets = (directory: string): Snippet[] => [
  {
    title: 'Asterisk inbound dialplan',
    where:
      'For extensions.conf. Replace YOUR_INTERNAL_SECRET by the internal secret, and send your fax numbers here with ' +
      'exten => _[+0-9]!,1,Goto(faxdeck-in,${EXTEN},1). Asterisk must see the folder by the same path and be allowed to ' +
      'write there. Needs res_fax_spandsp, func_curl, res_curl, func_env, func_logic, func_strings, func_callerid and app_stack.',
    code: inbound(directory),
  },
]
