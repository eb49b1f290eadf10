import type { Snippet } from '@faxdeck/provider-kit'
import { presentHook } from './check-folder.ts'

// curl reads everything from its standard input: no value reaches a shell, and the secret is in no list of processes.
const hook = `-- faxdeck_result.lua
local url = "{base_url}/_internal/freeswitch/outbound_result"
local secret = "YOUR_INTERNAL_SECRET"

-- Run without an event, it only says which one it is.
if not event then
  stream:write("${presentHook}")
  return
end

local function read(name)
  return (event:getHeader(name) or ""):gsub("[^%w .,:;()/_-]", " ")
end
local job = read("variable_faxdeck_attempt")
if job == "" then return end

local status = event:getHeader("fax-success") == "1" and "SUCCESS" or "FAILED"
local pages = tonumber(event:getHeader("fax-document-transferred-pages")) or 0
local body = string.format(
  '{"job_id":"%s","fax_status":"%s","fax_result_text":"%s","fax_document_transferred_pages":%d,"uuid":"%s","fax_image_resolution":"%s","fax_remote_station_id":"%s"}',
  job, status, read("fax-result-text"), pages, read("Unique-ID"), read("fax-image-resolution"),
  read("fax-remote-station-id"))

local curl = io.popen("curl --silent --show-error --fail --max-time 20 --retry 3 --config -", "w")
curl:write('url = "', url, '"\\n')
curl:write('header = "Content-Type: application/json"\\n')
curl:write('header = "X-Internal-Secret: ', secret, '"\\n')
curl:write('data = "', (body:gsub('"', '\\\\"')), '"\\n')
curl:close()
`

/** What FreeSWITCH needs to report how a fax ended. */
export const freeswitchSnippets = (): Snippet[] => [
  {
    title: 'FreeSWITCH outbound result hook',
    where:
      'Save it as faxdeck_result.lua in the scripts folder, with YOUR_INTERNAL_SECRET replaced by the internal secret, ' +
      'and name it in autoload_configs/lua.conf.xml: <hook event="CUSTOM" subclass="spandsp::txfaxresult" ' +
      'script="faxdeck_result.lua"/>. Then restart FreeSWITCH, since mod_lua is not reloaded. Needs mod_lua, ' +
      'mod_spandsp and curl.',
    code: hook,
  },
]
