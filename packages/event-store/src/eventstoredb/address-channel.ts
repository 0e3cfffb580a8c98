import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import type { EventStoreDBClient } from '@eventstore/db-client'
import type { ChannelCredentials } from '@grpc/grpc-js'

/** The transport that the client itself uses; another copy's channels would not be its. */
const { Channel, credentials }: typeof import('@grpc/grpc-js') = createRequire(
  createRequire(import.meta.url).resolve('@eventstore/db-client'),
)('@grpc/grpc-js')

type Settings = ReadonlyMap<string, string>

/**
 * Sent as the TLS server name in place of an address. It names no server (RFC 6761), so one that serves several names
 * answers with its default certificate.
 */
const noServer = 'address.invalid'

/** The host of a channel's target, such as `dns:127.0.0.1:2113`, if it is an address; else null. */
const addressIn = (target: string): string | null => {
  const host = /^dns:\[?(?<host>.*?)\]?(?::\d+)?$/.exec(target)?.groups?.host ?? ''
  return isIP(host) === 0 ? null : host
}

const fileOf = (settings: Settings, name: string): Buffer | null => {
  const path = settings.get(name)
  return path === undefined ? null : readFileSync(path)
}

const credentialsOf = (settings: Settings, address: string): ChannelCredentials =>
  credentials.createSsl(
    fileOf(settings, 'tlsCAFile'),
    fileOf(settings, 'userKeyFile'),
    fileOf(settings, 'userCertFile'),
    // The certificate must be of the address, whatever name was sent.
    { checkServerIdentity: (_, certificate) => checkServerIdentity(address, certificate) },
  )

/** As the client: -1 means never. */
const milliseconds = (text: string | undefined): number => {
  const given = Number(text ?? 10_000)
  return given < 0 ? Number.MAX_VALUE : given
}

const optionsOf = (settings: Settings) => ({
  'grpc.ssl_target_name_override': noServer,
  'grpc.keepalive_time_ms': milliseconds(settings.get('keepAliveInterval')),
  'grpc.keepalive_timeout_ms': milliseconds(settings.get('keepAliveTimeout')),
  // As the client: larger events than gRPC can append may come from elsewhere.
  'grpc.max_receive_message_length': 17 * 1024 * 1024,
})

/**
 * Lets a client over TLS connect to an address without sending it as the server name, which RFC 6066 forbids and Node
 * warns of (DEP0123). The client offers no options of channels, so its channels to addresses are made again, with that
 * option. A client that makes its channels otherwise keeps them, and the warning.
 */
export const sendNoAddresses = (client: EventStoreDBClient, settings: Settings): void => {
  const make: unknown = Reflect.get(client, 'createChannel')
  if (typeof make !== 'function') return
  const known = new Map<string, ChannelCredentials>()
  const makeAgain = async (): Promise<unknown> => {
    const made: unknown = await Reflect.apply(make, client, [])
    if (!(made instanceof Channel)) return made
    const target = made.getTarget()
    const address = addressIn(target)
    if (address === null) return made
    // It has not connected yet.
    made.close()
    const trusted = known.get(address) ?? credentialsOf(settings, address)
    known.set(address, trusted)
    return new Channel(target, trusted, optionsOf(settings))
  }
  Reflect.set(client, 'createChannel', makeAgain)
}
