import type { xdr } from '@stellar/stellar-sdk'
import { contractCodeKey } from '../../ledger/entry-keys.ts'
import type { Frame, Host } from '../host.ts'
import { hostError } from '../host-error.ts'
import { maxArguments } from '../settings.ts'
import { nothing } from '../values/sc-values.ts'
import { type Guest, give, take } from './guest.ts'
import { hostFunctions, moduleOf } from './module.ts'

const traps: ReadonlyArray<readonly [RegExp, Parameters<typeof hostError>[1]]> = [
  [/unreachable/, 'invalidAction'],
  [/out of bounds/, 'indexBounds'],
  [/divide|remainder|overflow|unrepresentable/, 'arithDomain'],
  [/null function|signature/, 'missingValue'],
]

/** Maps a trap to the network's error. An exhausted stack or memory is an exceeded limit. */
const trapOf = (caught: unknown): unknown => {
  if (caught instanceof RangeError) return hostError('budget', 'exceededLimit', caught.message)
  if (!(caught instanceof WebAssembly.RuntimeError)) return caught
  const { message } = caught
  const [, code] = traps.find(([pattern]) => pattern.test(message)) ?? [/./, 'invalidAction' as const]
  return hostError('wasmVm', code, message)
}

const table = Object.entries(hostFunctions).map(([path, { run }]) => {
  const [group = '', name = ''] = path.split('.')
  return { group, name, run }
})

const importsFor = (guest: Guest) => {
  const imports: Record<string, Record<string, (...args: bigint[]) => bigint>> = {}
  for (const { group, name, run } of table) {
    const functions = imports[group] ?? {}
    imports[group] = functions
    functions[name] = (...args) => {
      guest.host.meter.count('hostCalls')
      return run(guest, ...args)
    }
  }
  return imports
}

const codeOf = (host: Host, hash: xdr.Hash): WebAssembly.Module => {
  const data = host.storage.find(contractCodeKey(hash))
  if (data?.type !== 'contractCode') throw hostError('storage', 'missingValue', 'the code does not exist')
  return moduleOf(data.contractCode.code, hash.value, host.executables)
}

/** A function that the contract exports; other exports, such as its memory, do not count. */
const functionIn = (exports: Record<string, unknown>, { name, args }: Frame): ((args: bigint[]) => unknown) => {
  const found = Object.hasOwn(exports, name) ? exports[name] : undefined
  if (typeof found !== 'function') throw hostError('wasmVm', 'missingValue', `no function ${name}`)
  if (args.length > maxArguments) throw hostError('wasmVm', 'invalidInput', 'too many arguments')
  if (args.length !== found.length)
    throw hostError('wasmVm', 'unexpectedSize', `${name} takes ${found.length} arguments`)
  return (values) => Reflect.apply(found, undefined, values)
}

/** Runs a function in a fresh instance; only its result survives. */
export const runCode = (host: Host, frame: Frame, hash: xdr.Hash): xdr.ScVal => {
  host.meter.count('wasmFrames')
  const module = codeOf(host, hash)
  const guest: Guest = {
    host,
    frame,
    objects: [],
    memory: () => {
      const { memory } = instance.exports
      if (!(memory instanceof WebAssembly.Memory)) throw hostError('wasmVm', 'missingValue', 'no memory')
      return memory.buffer
    },
  }
  const instance = new WebAssembly.Instance(module, importsFor(guest))
  const run = functionIn(instance.exports, frame)
  try {
    const answer = run(frame.args.map((value) => give(guest, value)))
    return typeof answer === 'bigint' ? take(guest, answer) : nothing
  } catch (caught) {
    throw trapOf(caught)
  }
}
