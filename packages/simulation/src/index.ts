export { buildFixture, type Fixture } from './fixture.ts'
export { plantedBugs, seedThatFinds } from './planted-bugs/index.ts'
export { type Run, simulate } from './simulate.ts'
