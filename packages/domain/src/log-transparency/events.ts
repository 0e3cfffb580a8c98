import type * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/**
 * The log is a transparency log from here on: `origin` names it in its checkpoints, and `vkey` verifies them (C2SP
 * signed-note). `reason` is null the first time. Later, a person says why the log cannot continue the one before.
 */
export const TransparencyLogBegun = strict(
  { origin: Text, vkey: Text, begunAt: UnixMs, reason: orNull(Text) },
  'TransparencyLogBegun',
)
export type TransparencyLogBegun = t.TypeOf<typeof TransparencyLogBegun>

/** Checkpoints are signed by another key from here on. */
export const TransparencyKeyRotated = strict({ vkey: Text, rotatedAt: UnixMs, reason: Text }, 'TransparencyKeyRotated')

export const LogTransparencyEvent = facts([
  fact('TransparencyLogBegun', TransparencyLogBegun),
  fact('TransparencyKeyRotated', TransparencyKeyRotated),
])
export type LogTransparencyEvent = t.TypeOf<typeof LogTransparencyEvent>
