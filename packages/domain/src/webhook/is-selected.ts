/** Whether a type of event is among what selectors ask for: types, `subscription.*`, or `*` for all. */
export const isSelected = (selectors: ReadonlyArray<string>, type: string): boolean =>
  selectors.some((each) => each === '*' || each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))))
