/** The manifest of a made-up service that takes the document as a part of a form. */
export function acmeManifest(origin = 'https://api.acme.example') {
  return {
    id: 'acme-fax',
    name: 'Acme Fax',
    version: '2.1.0',
    description: 'Sends over the Acme API.',
    auth: { scheme: 'bearer' },
    allowed_domains: [new URL(origin).hostname],
    settings: { region: { label: 'Region', help: 'Where faxes are kept', default: 'eu' } },
    actions: {
      send_fax: {
        method: 'POST',
        url: `${origin}/v1/{region}/faxes?ref={{fax_id}}`,
        path_params: [{ name: 'region', source: 'settings.region' }],
        headers: { 'X-Pages': '{{pages}}' },
        body: { kind: 'multipart', template: 'to={{to}}&file={{file}}' },
        response: { job_id: 'data.fax.id', status: 'data.fax.state', error: 'problem.text' },
      },
      get_status: {
        method: 'GET',
        url: `${origin}/v1/faxes/{{job_id}}`,
        response: {
          job_id: 'id',
          status: 'state',
          error: 'why',
          pages: 'pages_sent',
          status_map: { sent: 'SUCCESS', refused: 'FAILED', engaged: 'busy', waiting: 'queued' },
        },
      },
      cancel_fax: {
        method: 'DELETE',
        url: `${origin}/v1/faxes/{{job_id}}`,
        response: { status: 'state', status_map: { stopped: 'cancelled' } },
      },
    },
  }
}

/** The settings it asks for, filled in. */
export const acmeSettings = { plugin_acme_fax_token: 'acme-secret-token' }
