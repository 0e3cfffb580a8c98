import type { CommandContext } from '@quittance/billing'
import { asText } from '@quittance/domain'
import { type Platform, type SandboxNode, writeSandboxFacts } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'

/**
 * Makes the sandbox ready for a newcomer: a merchant to begin with, a key that works, and the file that says all this,
 * written last. Answers the greeting to print.
 */
export const announceSandbox = async (
  platform: Platform,
  node: SandboxNode,
  { url, metricsUrl }: { readonly url: string; readonly metricsUrl: string },
): Promise<string> => {
  const { merchantId, secret } = await merchantWithKey(platform)
  writeSandboxFacts(platform.sandboxFacts, {
    base_url: url,
    api_key: secret,
    merchant_id: merchantId,
    dashboard_url: null,
    rpc_url: node.rpcUrl,
    friendbot_url: node.friendbotUrl,
    network_passphrase: node.sandbox.networkPassphrase,
    assets: node.sandbox.assets().map(({ assetId, code, issuer }) => ({ asset_id: assetId, code, issuer })),
    mandate_contract: node.sandbox.mandateContract,
    pid: process.pid,
  })
  return greeting(url, secret, platform.sandboxFacts, metricsUrl)
}

/** The first merchant with a fresh key (earlier ones stay valid); a new one where there is none yet. */
const merchantWithKey = async ({ billing, clock }: Platform) => {
  const { merchants } = billing
  const [first] = merchants.names()
  const commandId = billing.freshId()
  const context = {
    environment: 'testnet',
    commandId,
    correlationId: commandId,
    causationId: null,
    actor: 'operator',
    at: clock.now(),
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

const greeting = (baseUrl: string, apiKey: string, facts: string, metricsUrl: string): string => `
  Quittance is running, on a Stellar network of its own (the sandbox).

  Address   ${baseUrl}
  API key   ${apiKey}
  Facts     ${facts}
  Reference ${baseUrl}/docs
  Metrics   ${metricsUrl}

  Try it:
    curl ${baseUrl}/product -H 'x-api-key: ${apiKey}' -H 'content-type: application/json' \\
      -d '{"name":"A book","type":"one_time","currency_code":"EUR","price_amount":12.5}'

  Or watch a whole sale, in another terminal:
    npm run example

  docs/quickstart.md leads to a confirmed payment with curl alone.

`
