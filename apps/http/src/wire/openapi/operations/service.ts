import { exampleId, type Section } from './words.ts'

export const service: Section = {
  tag: 'Service',
  description: 'Whether the service works, and what it tells about itself.',
  operations: {
    'GET /': { name: 'getStart', description: 'Browsers get a page, and programs the same as JSON.' },
    'GET /quickstart': { name: 'getQuickstart', description: 'As text, for people.' },
    'GET /health': { name: 'getHealth', description: 'Answers bare, without `data`, as long as the process runs.' },
    'GET /ready': { name: 'getReadiness', description: 'Answers bare, without `data`: 200 if it is ready, else 503.' },
    'GET /.well-known/stellar.toml': {
      name: 'getStellarToml',
      description: 'Wallets read it before they trust the signatures of this domain.',
    },
    'GET /transparency/checkpoint': {
      name: 'getCheckpoint',
      description: 'A signed note (C2SP tlog-checkpoint), which shows later that no event before it was changed.',
    },
    'GET /.well-known/transparency-keys': {
      name: 'getTransparencyKeys',
      description:
        'Verifier keys (C2SP signed-note), one a line, the oldest first. Each begins with the name of its log; the last one has the name in use.',
    },
    'GET /openapi.json': { name: 'getOpenApi', description: 'For programs, such as generators of clients.' },
    'GET /docs': { name: 'showReference', description: 'For people.' },
  },
}

export const sandbox: Section = {
  tag: 'Sandbox',
  description:
    'The network inside the process: its clock, its faults, its mails and its wallets. Never with a real network.',
  operations: {
    'GET /sandbox/clock': { name: 'getSandboxClock', description: 'The sandbox may be ahead of the real time.' },
    'POST /sandbox/advance': {
      name: 'advanceSandboxClock',
      description: 'Renewals, retries and deliveries that become due are done before it answers.',
      examples: { aDay: { seconds: 86_400 } },
    },
    'GET /sandbox/faults': { name: 'getSandboxFaults', description: 'A knob that is absent is off.' },
    'POST /sandbox/faults': {
      name: 'setSandboxFaults',
      description: 'An empty object turns everything off.',
      examples: { lostReply: { lose_reply: { times: 1 } }, none: {} },
    },
    'GET /sandbox/mail': {
      name: 'listSandboxMails',
      description: 'At most a hundred. A restart forgets them. Browsers without a key are led to `/sandbox/inbox`.',
    },
    'GET /sandbox/inbox': {
      name: 'showSandboxInbox',
      description:
        'The mails of all merchants, for a browser on the machine of the service; for others there is no page.',
    },
    'GET /sandbox/inbox/:mail': { name: 'showSandboxMail', description: 'As a mail program would show it.' },
    'POST /sandbox/pay': {
      name: 'payInSandbox',
      description: 'Pays a checkout or an invoice, or signs for a subscription, as a customer would.',
      examples: { due: { checkout_id: exampleId('chk_') }, tooLittle: { checkout_id: exampleId('chk_'), amount: '1' } },
    },
  },
}
