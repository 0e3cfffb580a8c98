export { fixtures, type World } from './fixtures.ts'
export { plantedBugs, seedThatFinds } from './planted-bugs/index.ts'
export { type Run, simulate } from './simulate.ts'
