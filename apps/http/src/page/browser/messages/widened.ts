/** What a catalogue has, with any words. */
export type Widened<A> = A extends string
  ? string
  : A extends (...input: infer Input) => string
    ? (...input: Input) => string
    : { readonly [Key in keyof A]: Widened<A[Key]> }
