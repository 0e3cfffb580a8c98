import { createHash } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import type { Owner } from './owner.ts'

const PACKET_BYTES = 64
const TAG = 0x05
const OK = 0x9000
const REFUSED = 0x6985
const [GET_PUBLIC_KEY, SIGN_TRANSACTION] = [0x02, 0x04]
/** 44'/148'/0': the length of the path, and each step as a hardened index. */
const firstAccount = Buffer.from('038000002c8000009480000000', 'hex')

const answer = (status: number, data: Uint8Array = new Uint8Array()): Buffer => {
  const code = Buffer.alloc(2)
  code.writeUInt16BE(status)
  return Buffer.concat([data, code])
}

/** The Stellar app of the device: commands in, answers with their status out. */
const stellarApp = (owner: Owner) => {
  let received: Buffer = Buffer.alloc(0)

  /** What is signed: the network, the type of envelope 2, and the transaction. */
  const signed = (payload: Buffer): Buffer => {
    const path = payload.subarray(0, firstAccount.length)
    const signatureBase = payload.subarray(firstAccount.length)
    if (!path.equals(firstAccount)) throw new Error(`The device has no account ${path.toString('hex')}`)
    const network = createHash('sha256').update('Public Global Stellar Network ; September 2015').digest()
    if (!signatureBase.subarray(0, 32).equals(network) || signatureBase.readUInt32BE(32) !== 2)
      throw new Error('The device shows no such transaction')
    owner.asked.push(signatureBase.toString('base64'))
    if (!owner.isWilling) return answer(REFUSED)
    return answer(OK, owner.wallet.keypair.sign(createHash('sha256').update(signatureBase).digest()))
  }

  return (command: Buffer): Buffer => {
    const [group, instruction, first, more, length = 0] = command
    const data = command.subarray(5, 5 + length)
    if (group !== 0xe0) throw new Error(`The app has no commands of ${group}`)
    if (instruction === GET_PUBLIC_KEY) {
      if (!data.equals(firstAccount)) throw new Error(`The device has no account ${data.toString('hex')}`)
      return answer(OK, owner.wallet.keypair.rawPublicKey())
    }
    if (instruction !== SIGN_TRANSACTION) throw new Error(`The app has no command ${instruction}`)
    received = first === 0x00 ? data : Buffer.concat([received, data])
    return more === 0x80 ? answer(OK) : signed(received)
  }
}

/** The frames of USB: the channel, a tag, a number, and in the first one the length of the command. */
const usbDevice = (app: (command: Buffer) => Buffer) => {
  let command: Buffer = Buffer.alloc(0)
  let length = 0

  const packetsOf = (channel: number, reply: Buffer): ReadonlyArray<string> => {
    const size = Buffer.alloc(2)
    size.writeUInt16BE(reply.length)
    const content = Buffer.concat([size, reply])
    const inPacket = PACKET_BYTES - 5
    return Array.from({ length: Math.ceil(content.length / inPacket) }, (_, index) => {
      const packet = Buffer.alloc(PACKET_BYTES)
      packet.writeUInt16BE(channel, 0)
      packet.writeUInt8(TAG, 2)
      packet.writeUInt16BE(index, 3)
      content.copy(packet, 5, index * inPacket, (index + 1) * inPacket)
      return packet.toString('hex')
    })
  }

  /** Takes a packet, and answers those of the reply once a command is complete. */
  return (hex: string): ReadonlyArray<string> => {
    const packet = Buffer.from(hex, 'hex')
    if (packet.length !== PACKET_BYTES || packet.readUInt8(2) !== TAG) throw new Error(`This is no packet: ${hex}`)
    const isFirst = packet.readUInt16BE(3) === 0
    if (isFirst) length = packet.readUInt16BE(5)
    command = isFirst ? packet.subarray(7) : Buffer.concat([command, packet.subarray(5)])
    return command.length < length ? [] : packetsOf(packet.readUInt16BE(0), app(command.subarray(0, length)))
  }
}

/** The device as browsers show it to a page. It is chosen only upon a press. */
const webUsb = `(() => {
  const hex = (view) => [...new Uint8Array(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength)]
    .map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const packets = []
  const device = {
    vendorId: 0x2c97,
    productId: 0x4011,
    configuration: null,
    configurations: [{ interfaces: [{ interfaceNumber: 2, alternates: [{ interfaceClass: 255 }] }] }],
    open: async () => {},
    close: async () => {},
    reset: async () => {},
    selectConfiguration: async () => {},
    claimInterface: async () => {},
    releaseInterface: async () => {},
    transferOut: async (endpoint, data) => {
      if (endpoint !== 3) throw new Error('The device has no endpoint ' + endpoint)
      packets.push(...(await askLedger(hex(data))))
    },
    transferIn: async () => {
      const bytes = Uint8Array.from(packets.shift().match(/../g), (byte) => parseInt(byte, 16))
      return { status: 'ok', data: new DataView(bytes.buffer) }
    },
  }
  const usb = {
    getDevices: async () => [],
    requestDevice: async ({ filters }) => {
      if (!navigator.userActivation.isActive)
        throw new DOMException('Must be handling a user gesture to show a permission request.', 'SecurityError')
      if (!filters.some(({ vendorId }) => vendorId === device.vendorId)) throw new Error('No device selected.')
      return device
    },
    addEventListener: () => {},
    removeEventListener: () => {},
  }
  Object.defineProperty(navigator, 'usb', { value: usb })
})()`

/** A stand-in for a Ledger on a cable, with the Stellar app open. */
export const installLedger = async (context: BrowserContext, owner: Owner): Promise<void> => {
  const take = usbDevice(stellarApp(owner))
  await context.exposeFunction('askLedger', (packet: string) => take(packet))
  await context.addInitScript({ content: webUsb })
}
