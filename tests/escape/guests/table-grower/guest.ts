import { watGuest } from '../../support/wat-plugin.ts';

/** Grows a table by doubling until it gets no more, then one by one; or by `by` at once. */
export const growTable = (by?: number): Promise<string> =>
  watGuest({
    name: 'table-grower',
    fields: '(table $t 1 funcref)',
    call:
      by === undefined
        ? `
      (local.set $i (i32.const 524288))
      (loop $more
        (br_if $more (i32.ne (table.grow $t (ref.null func) (local.get $i)) (i32.const -1)))
        (local.set $i (i32.div_u (local.get $i) (i32.const 2)))
        (br_if $more (local.get $i)))
      (call $ok-number (table.size $t))`
        : `
      (if (i32.eq (table.grow $t (ref.null func) (i32.const ${by})) (i32.const -1)) (then unreachable))
      (call $ok-number (table.size $t))`,
  });
