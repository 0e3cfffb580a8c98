export type { Difference } from './compare.ts'
export { modelNames, type RebuildFailure, rebuild } from './rebuild.ts'
export type { Rebuilt } from './rebuild-model.ts'
