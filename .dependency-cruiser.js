/** Imports point one way: domain <- event-store <- projections, domain <- ledger, transparency; all of them <- billing <- apps. */
const packagesBelow = {
  domain: [],
  transparency: [],
  'event-store': ['domain'],
  projections: ['domain', 'event-store'],
  ledger: ['domain'],
  billing: ['domain', 'event-store', 'projections', 'ledger', 'transparency'],
  sandbox: ['event-store'],
  client: ['domain'],
}

/** Each SDK is known to one adapter folder (and to tests, which stand outside). */
const homes = {
  'better-sqlite3': '^(packages/event-store/src/sqlite/|apps/witness/src/state\\.ts$)',
  '@stellar/stellar-sdk': '^(packages/ledger/src/stellar/|packages/sandbox/src/)',
  '@eventstore/db-client': '^packages/event-store/src/eventstoredb/',
  pg: '^packages/event-store/src/postgres/',
  kysely: '^packages/projections/src/',
  '@opentelemetry/(sdk-trace|context-async-hooks|resources|exporter-trace-otlp-http)': '^apps/host/src/tracing/',
  '@node-rs/argon2': '^packages/billing/src/team/passwords\\.ts$',
  '@simplewebauthn/server': '^packages/billing/src/team/passkeys\\.ts$',
  otpauth: '^packages/billing/src/team/one-time-codes\\.ts$',
  fastify: '^apps/(http|witness)/src/',
  inversify: '/(module|tokens|program|container)\\.ts$|^apps/[^/]+/src/composition/',
}

/** The folders of billing, low to high: each imports only from those before it. docs/architecture.md draws them. */
const billingLayers = [
  'kernel',
  'stores',
  'services',
  'resources',
  'features/outgoing',
  'features/limits',
  'features/book-lines',
  'features/payments',
  'features/merchants',
  'features/products',
  'features/customers',
  'features/wallets',
  'features/settlement-account',
  'features/funding',
  'features/own-account',
  'features/contract-rent',
  'features/credits',
  'features/payouts',
  'features/mandates',
  'features/invoices',
  'features/checkouts',
  'features/paying',
  'features/charges',
  'features/subscriptions',
  'features/authorizations',
  'features/migrations',
  'features/price-changes',
  'features/refunds',
  'features/approvals',
  'features/exceptions',
  'ingest',
  'books',
  'access',
  'dispatch',
  'notify/public-events',
  'notify/webhooks',
  'notify/delivery',
  'portal',
  'team',
  'operator',
  'audit',
  'worker',
  'face',
]

const tests = '\\.test\\.ts$|^(packages|apps)/.*/testing/|^packages/event-store/src/conformance/'
const testFiles = `${tests}|^bench/|^docs/|^packages/simulation/|^publishing/consumers/`

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^packages/domain/src/', pathNot: testFiles },
      to: {
        pathNot: ['^packages/domain/', 'node_modules/(fp-ts|io-ts|temporal-polyfill|monocle-ts|newtype-ts)/'],
      },
    },
    {
      name: 'transparency-needs-little',
      severity: 'error',
      from: { path: '^packages/transparency/src/', pathNot: testFiles },
      to: { pathNot: ['^packages/transparency/', '^(node:)?crypto$', 'node_modules/fp-ts/'] },
    },
    {
      // Whoever runs a witness needs none of the rest.
      name: 'the-witness-imports-transparency-alone',
      severity: 'error',
      from: { path: '^apps/witness/' },
      to: { path: '^(packages|apps)/', pathNot: ['^packages/transparency/', '^apps/witness/'] },
    },
    {
      name: 'client-runs-in-browsers',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: testFiles },
      to: { pathNot: ['^packages/client/', '^packages/domain/src/shared/', 'node_modules/(fp-ts|io-ts)/'] },
    },
    ...Object.entries(packagesBelow).map(([name, below]) => ({
      name: `${name}-imports-only-what-is-below-it`,
      severity: 'error',
      from: { path: `^packages/${name}/`, pathNot: testFiles },
      to: { path: '^(packages|apps)/', pathNot: [name, ...below].map((each) => `^packages/${each}/`) },
    })),
    {
      name: 'billing-files-have-a-layer',
      severity: 'error',
      from: { path: '^packages/billing/src/', pathNot: testFiles },
      to: {
        path: '^packages/billing/src/',
        pathNot: [`^packages/billing/src/(${billingLayers.join('|')})/`, '^packages/billing/src/index.ts$'],
      },
    },
    ...billingLayers.slice(0, -1).map((layer, place) => ({
      name: `billing-${layer.replace('/', '-')}-imports-only-what-is-below-it`,
      severity: 'error',
      from: { path: `^packages/billing/src/${layer}/`, pathNot: testFiles },
      to: {
        path: [
          '^packages/billing/src/index.ts$',
          `^packages/billing/src/(${billingLayers.slice(place + 1).join('|')})/`,
        ],
      },
    })),
    ...Object.entries(homes).map(([sdk, home]) => ({
      name: `${sdk.replace(/\W/g, '-')}-stays-in-its-adapter`,
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: [home, testFiles] },
      to: { path: `node_modules/${sdk}/` },
    })),
    {
      // Whatever signs asks the vault, which asks a signer. Who imports this has seeds.
      name: 'seeds-stay-in-the-vault',
      severity: 'error',
      from: { pathNot: ['^packages/billing/src/stores/vault/vault\\.ts$', testFiles] },
      to: { path: '^packages/billing/src/stores/vault/seed-signer\\.ts$' },
    },
    {
      name: 'product-code-does-not-import-tests',
      severity: 'error',
      from: { pathNot: testFiles },
      to: { path: tests },
    },
    {
      name: 'packages-import-each-other-by-name',
      severity: 'error',
      from: { path: '^((?:packages|apps)/[^/]+|bench|docs)/' },
      to: { path: '^(packages|apps)/', pathNot: '^$1/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased'] },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.d\\.ts$|^docs/api/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    tsPreCompilationDeps: true,
  },
}
