/** Queries whose answers are awaited: lists that are read as far as they are asked for are async iterables. */
export type Asynchronous<Queries> = {
  readonly [Name in keyof Queries]: Queries[Name] extends (...given: infer Given) => infer Answer
    ? (...given: Given) => Awaitable<Answer>
    : never
}

type Awaitable<Answer> = [Answer] extends [ReadonlyArray<unknown> | string]
  ? Promise<Answer>
  : [Answer] extends [Iterable<infer Each>]
    ? AsyncIterable<Each>
    : Promise<Answer>
