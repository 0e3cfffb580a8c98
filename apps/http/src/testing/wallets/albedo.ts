import { createHash } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import { type Owner, signedBy } from './owner.ts'

type Intent = {
  readonly intent: string
  readonly __reqid: string
  readonly __albedo_intent_version: number
  readonly token?: string
  readonly xdr?: string
  readonly pubkey?: string
  readonly network?: string
}

const networks: Readonly<Record<string, string>> = {
  public: 'Public Global Stellar Network ; September 2015',
  testnet: 'Test SDF Network ; September 2015',
}
const rejected = { error: { code: -4, message: 'Action request was rejected by the user.' } }

const publicKey = ({ wallet }: Owner, token = ''): object => {
  const message = Buffer.from(`${wallet.address}:${token}`)
  const signature = wallet.keypair.sign(createHash('sha256').update(message).digest())
  return {
    pubkey: wallet.address,
    signed_message: message.toString('hex'),
    signature: Buffer.from(signature).toString('hex'),
  }
}

const transaction = (owner: Owner, { xdr = '', pubkey, network = 'public' }: Intent): object => {
  const { address, read } = owner.wallet
  if (pubkey !== address) return { error: { code: -3, message: 'Intent request is invalid.' } }
  const signed = signedBy(owner, xdr, networks[network])
  if (signed === null) return rejected
  const tx_hash = Buffer.from(read(signed, networks[network]).hash()).toString('hex')
  return { xdr, tx_hash, signed_envelope_xdr: signed, network: networks[network], pubkey: address }
}

/** What the site of Albedo answers to intents of the third version of its protocol. */
const answerTo = (owner: Owner, request: Intent): object => {
  const { intent, __reqid, __albedo_intent_version } = request
  if (__albedo_intent_version !== 3) throw new Error(`Albedo does not speak version ${__albedo_intent_version}`)
  switch (intent) {
    case 'public_key':
      return { __reqid, intent, ...publicKey(owner, request.token) }
    case 'tx':
      return { __reqid, intent, ...transaction(owner, request) }
    default:
      throw new Error(`Albedo has no intent ${intent}`)
  }
}

/** The window says that it is there, shows what is asked, and answers the page that opened it once its owner has pressed. */
const site = `<!doctype html><title>Albedo</title><button id="confirm" hidden>Confirm</button><script>
addEventListener('message', ({ data, origin }) => {
  if (data?.__albedo_intent_version === undefined) return
  document.querySelector('#confirm').hidden = false
  document.querySelector('#confirm').onclick = async () =>
    opener.postMessage({ albedoIntentResult: await askAlbedo(data) }, origin)
})
opener.postMessage({ albedo: { protocol: 3 } }, '*')
</script>`

/** A stand-in for the site of Albedo, at its address. */
export const installAlbedo = async (context: BrowserContext, owner: Owner): Promise<void> => {
  await context.exposeFunction('askAlbedo', (request: Intent) => answerTo(owner, request))
  await context.route('https://albedo.link/confirm', (route) => route.fulfill({ contentType: 'text/html', body: site }))
}
