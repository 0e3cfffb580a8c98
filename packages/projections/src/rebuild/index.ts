/**
 * Builds read models again from the log, beside the live ones.
 *
 * @module @quittance/projections/rebuild
 */

export { recordedHeads } from '../feed/checkpoints.ts'
export type { Difference } from './compare.ts'
export { type ComparedModel, type FoldApart, foldApart, type LiveRows } from './fold-apart.ts'
export { modelNames, type RebuildFailure, type Rebuilding, rebuild } from './rebuild.ts'
export type { Rebuilt } from './rebuild-model.ts'
