export { type Difference, differingColumns } from './compare.ts'
export { modelNames, type RebuildFailure, rebuild } from './rebuild.ts'
export type { Progress, Rebuilt } from './rebuild-model.ts'
