;; The lowest of bytes that stand at equal distances: once down and once across gives the lowest in a rectangle.
;; lowest-near.wasm is this file, put into bytes by `wat2wasm lowest-near.wat` of wabt; a test compares them.
(module
  (memory (export "memory") 1)

  ;; Puts into $to the lowest of the $count bytes at $from, $from + $step, and so on, for $length bytes in a row; $length
  ;; is a multiple of 16.
  (func (export "lowest")
    (param $from i32) (param $step i32) (param $count i32) (param $to i32) (param $length i32)
    (local $at i32) (local $left i32) (local $found v128) (local $end i32)
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    (loop $along
      (local.set $at (local.get $from))
      (local.set $left (local.get $count))
      (local.set $found (v128.const i64x2 -1 -1))
      (loop $each
        (local.set $found (i8x16.min_u (local.get $found) (v128.load (local.get $at))))
        (local.set $at (i32.add (local.get $at) (local.get $step)))
        (br_if $each (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (v128.store (local.get $to) (local.get $found))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $along (i32.lt_u (local.get $to) (local.get $end))))))
