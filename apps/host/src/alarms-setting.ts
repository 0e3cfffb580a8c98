import { isLoopbackHost } from '@quittance/domain'
import type { Read, Settings } from './settings.ts'

/** Where alarms go, and the secret (`whsec_…`) that signs them. */
export type AlarmEndpoint = { readonly url: string; readonly secret: string }

const address: Read<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  return isSafe ? text : null
}

/** A secret by Standard Webhooks: 24 to 64 bytes. */
const secret: Read<string> = (text) => {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64 ? text : null
}

/** Where alarms go. An address without a secret is a problem: nobody could tell an alarm from a forgery. */
export const alarmsIn = (settings: Settings): AlarmEndpoint | null => {
  const { read, isSet, complain } = settings
  const url = read<string | null>('ALARM_URL', 'an https address, or an http address of this machine', address, null)
  const format = 'whsec_ and 24 to 64 bytes in base64, as `echo whsec_$(openssl rand -base64 32)` prints'
  const signing = read<string | null>('ALARM_SECRET', format, secret, null)
  if (isSet('ALARM_URL') && !isSet('ALARM_SECRET'))
    complain({ variable: 'QUITTANCE_ALARM_SECRET', expected: `${format}, since QUITTANCE_ALARM_URL is set` })
  return url === null || signing === null ? null : { url, secret: signing }
}
