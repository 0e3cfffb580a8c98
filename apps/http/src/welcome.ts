import type { Billing, CommandContext } from '@quittance/billing'
import { asText } from '@quittance/domain'
import { type Config, type DataDir, type SandboxNode, writeSandboxFacts } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import type { Addresses } from './listeners.ts'

/**
 * Prepares the sandbox for a newcomer: a first merchant, a key that works, and then the file of facts. Answers the
 * greeting to print; null without a sandbox.
 */
export type Welcome = (addresses: Addresses) => Promise<string | null>

export const welcome =
  (
    billing: Billing,
    node: SandboxNode | null,
    { sandboxFacts }: DataDir,
    { networks }: Pick<Config, 'networks'>,
  ): Welcome =>
  async ({ url, metricsUrl }) => {
    if (node === null) return null
    const { merchantId, secret } = await merchantWithKey(billing)
    writeSandboxFacts(sandboxFacts, {
      base_url: url,
      api_key: secret,
      merchant_id: merchantId,
      dashboard_url: `${url}/dashboard`,
      rpc_url: node.rpcUrl,
      friendbot_url: node.friendbotUrl,
      network_passphrase: node.sandbox.networkPassphrase,
      assets: node.sandbox.assets().map(({ assetId, code, issuer }) => ({ asset_id: assetId, code, issuer })),
      mandate_contract: node.sandbox.mandateContract,
      pid: process.pid,
      metrics_url: metricsUrl,
    })
    const text = greeting(url, secret, sandboxFacts, metricsUrl)
    return networks.mainnet.rpcUrls.length > 0 ? `${besideMainnet}${text}` : text
  }

/** The first merchant with a fresh key (earlier ones stay valid), or a new merchant. */
const merchantWithKey = async ({ merchants, freshId, clock }: Billing) => {
  const [first] = await merchants.names()
  const commandId = freshId()
  const context = {
    environment: 'testnet',
    commandId,
    correlationId: commandId,
    causationId: null,
    actor: 'operator',
    at: clock.now('testnet'),
  } satisfies Omit<CommandContext, 'merchantId'>
  if (first === undefined) {
    const created = await merchants.create(context, asText('Sandbox merchant'))()
    if (E.isLeft(created)) throw new Error(`no merchant could be made: ${created.left._tag}`)
    return created.right
  }
  const { merchantId } = first
  const created = await merchants.createKey({ ...context, merchantId }, [])()
  if (E.isLeft(created)) throw new Error(`no key could be made: ${created.left._tag}`)
  return { merchantId, ...created.right }
}

const besideMainnet = `
  REAL MONEY: this service also works on the mainnet, with live keys. All below is about the sandbox beside it.
`

const greeting = (baseUrl: string, apiKey: string, facts: string, metricsUrl: string): string => `
  Quittance is running, on a Stellar network of its own (the sandbox).

  Address   ${baseUrl}
  API key   ${apiKey}
  Facts     ${facts}
  Dashboard ${baseUrl}/dashboard
  Reference ${baseUrl}/docs
  Metrics   ${metricsUrl}

  Open the dashboard in a browser on this machine: it signs you in, and leads to a first sale.

  Or try it here:
    curl ${baseUrl}/product -H 'x-api-key: ${apiKey}' -H 'content-type: application/json' \\
      -d '{"name":"A book","type":"one_time","currency_code":"EUR","price_amount":12.5}'

  Or watch a whole sale, in another terminal:
    npm run example

  docs/quickstart.md leads to a confirmed payment with curl alone.

`
