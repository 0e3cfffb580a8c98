import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { TransparencyLogBegun } from './events.ts'

/** Begins the transparency log where there is none; with a reason, begins another one under a name of its own. */
export type BeginTransparencyLog = { readonly type: 'BeginTransparencyLog' } & TransparencyLogBegun

/** Signs with another key from now on. */
export type RotateTransparencyKey = {
  readonly type: 'RotateTransparencyKey'
  readonly vkey: Text
  readonly rotatedAt: UnixMs
  readonly reason: Text
}

/** What may be asked of a transparency log. */
export type LogTransparencyCommand = BeginTransparencyLog | RotateTransparencyKey
